// Lints the OpenAPI document on standard input with the recommended rules; writes the problems as JSON.
// A program of its own, because the linter is an ES module, which the tests' module loader cannot take in.
import { text } from 'node:stream/consumers';
import { createConfig, lintFromString } from '@redocly/openapi-core';

const config = await createConfig({ extends: ['recommended'] });
const problems = await lintFromString({ source: await text(process.stdin), config });
const found = problems.map(({ ruleId, severity, message, location }) => ({ ruleId, severity, message, at: location[0]?.pointer }));
process.stdout.write(JSON.stringify(found));

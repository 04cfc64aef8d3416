// Writes the YAML document on standard input as JSON, anchors and merges resolved.
// A program of its own, because the parser comes with an ES module, which the tests' module loader cannot take in.
import { text } from 'node:stream/consumers';
import { parseYaml } from '@redocly/openapi-core';

process.stdout.write(JSON.stringify(parseYaml(await text(process.stdin))));

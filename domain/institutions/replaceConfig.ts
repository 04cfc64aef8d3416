import type { IntegrationConfig } from '../../db/entities/institution';
import { writeConfig } from '../../db/repositories/institutions/profile';
import type { Transaction } from '../context';
import { requireFound } from '../errors';
import { requireUniqueStudentIds } from '../students/uniqueStudentIds';
import { defaultConfig } from './config';

/** The integration config in a PUT; absent fields get their defaults. */
export type ConfigReplacement = { [Field in keyof IntegrationConfig]?: IntegrationConfig[Field] | undefined };

/** Replaces the institution's integration config (section Meta and institution). `conflict` if student ids are to be unique and are not. */
export async function replaceConfig(tx: Transaction, wanted: ConfigReplacement): Promise<IntegrationConfig> {
  const defaults = defaultConfig();
  const config: IntegrationConfig = {
    default_ai_policy: wanted.default_ai_policy ?? defaults.default_ai_policy,
    default_proctoring: wanted.default_proctoring ?? defaults.default_proctoring,
    allowed_toolchains: wanted.allowed_toolchains ?? defaults.allowed_toolchains,
    toolchain_mirror: wanted.toolchain_mirror ?? defaults.toolchain_mirror,
    lms: wanted.lms ?? defaults.lms,
    unique_student_ids: wanted.unique_student_ids ?? defaults.unique_student_ids,
    require_enrolment_code: wanted.require_enrolment_code ?? defaults.require_enrolment_code,
  };
  if (config.unique_student_ids) await requireUniqueStudentIds(tx);
  const written = requireFound(await writeConfig(tx, config, tx.now), 'institution', { within: 'service' });
  return written;
}

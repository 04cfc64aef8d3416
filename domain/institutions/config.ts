import { toolchains, type IntegrationConfig, type StoredConfig } from '../../db/entities/institution';

/** Returns the stored part of a new institution's integration config. */
export function defaultStoredConfig(): StoredConfig {
  return {
    default_ai_policy: { allowed: false, model_tier: 'any', max_interactions: null },
    default_proctoring: { camera: false, microphone: false, screen: false },
    allowed_toolchains: [...toolchains],
    toolchain_mirror: null,
    lms: {},
  };
}

/** Returns the integration config of a new institution; also the defaults of fields absent from a PUT. */
export const defaultConfig = (): IntegrationConfig => ({ ...defaultStoredConfig(), unique_student_ids: false, require_enrolment_code: false });

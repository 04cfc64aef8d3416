import { toolchains, type IntegrationConfig } from '../../db/entities/institution';

/** Returns the integration config of a new institution; also the defaults of fields absent from a PUT. */
export function defaultConfig(): IntegrationConfig {
  return {
    default_ai_policy: { allowed: false, model_tier: 'any', max_interactions: null },
    default_proctoring: { camera: false, microphone: false, screen: false },
    allowed_toolchains: [...toolchains],
    toolchain_mirror: null,
    lms: {},
  };
}

import {
  ParamsAndSecretsLayerVersion,
  ParamsAndSecretsLogLevel,
  ParamsAndSecretsVersions,
} from 'aws-cdk-lib/aws-lambda';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';

/**
 * The key that an API seals fences with, made by Secrets Manager and known to nobody who deploys: neither the template nor the
 * environment of a function has it. In the form that the handlers read: `{ "current": "…" }`.
 */
export function sealsSecret(scope: Construct, id: string): Secret {
  return new Secret(scope, id, {
    description: 'Seals the fences of clients. Changed in two steps, see docs/deploy.md.',
    generateSecretString: {
      secretStringTemplate: '{}',
      generateStringKey: 'current',
      passwordLength: 64,
      // 62 letters and digits: 64 of them are 381 bits.
      excludePunctuation: true,
    },
  });
}

/** The extension of AWS beside a function, which fetches secrets for it: a client of our own would make the bundle a fifth larger. */
export const secretsExtension = ParamsAndSecretsLayerVersion.fromVersion(ParamsAndSecretsVersions.V1_0_103, {
  logLevel: ParamsAndSecretsLogLevel.WARN,
  // It has one to keep, and is asked every five minutes.
  cacheSize: 1,
});

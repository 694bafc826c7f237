import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';

/** The keys of a table, and of its replicas by Region. */
interface Keys {
  readonly encryptionKey?: IKey;
  readonly replicaKeyArns?: Readonly<Record<string, string>>;
}

const decrypt = ['kms:Decrypt'];
const encrypt = ['kms:Encrypt', 'kms:ReEncrypt*', 'kms:GenerateDataKey*'];

/** Grants of the keys behind a table: a role that may use a table and not its keys may use neither. */
export class KeyGrants {
  readonly #own: IKey | undefined;
  readonly #replicas: string[];

  constructor({ encryptionKey, replicaKeyArns = {} }: Keys) {
    this.#own = encryptionKey;
    this.#replicas = encryptionKey === undefined ? [] : Object.values(replicaKeyArns);
  }

  grantDecrypt(grantee: IGrantable): void {
    this.#own?.grantDecrypt(grantee);
    this.#grantReplicas(grantee, decrypt);
  }

  grantEncryptDecrypt(grantee: IGrantable): void {
    this.#own?.grantEncryptDecrypt(grantee);
    this.#grantReplicas(grantee, [...decrypt, ...encrypt]);
  }

  #grantReplicas(grantee: IGrantable, actions: string[]): void {
    if (this.#replicas.length > 0) Grant.addToPrincipal({ grantee, actions, resourceArns: this.#replicas });
  }
}

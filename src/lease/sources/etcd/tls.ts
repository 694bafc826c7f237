import { anything, checkOptions, type OptionChecks } from '../../../fence/options.ts';

/** Certificates, as Node's `tls` takes them: PEM. */
export interface EtcdTls {
  /** Of the authorities that sign the members' certificates. */
  readonly ca?: string | Buffer;
  /** Of this client, with its key. */
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  readonly passphrase?: string;
  /** The name that the members' certificates are for, where it is not that of the address. */
  readonly servername?: string;
}

const tlsOptions: OptionChecks<EtcdTls> = {
  ca: anything,
  cert: anything,
  key: anything,
  passphrase: anything,
  servername: anything,
};

export function checkTls(value: EtcdTls, path: string): void {
  checkOptions(value, tlsOptions, path);
}

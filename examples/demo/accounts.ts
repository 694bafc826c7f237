/** What is at stake. */
export interface Account {
  readonly id: string;
  readonly balance: number;
}

export const leasesTable = 'leases';
export const accountsTable = 'accounts';

/** The resource that guards an account: who holds its lease may write it. */
export function resourceOf({ id }: Pick<Account, 'id'>): string {
  return `account/${id}`;
}

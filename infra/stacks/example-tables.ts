import { CfnOutput } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { TableDefinition } from '../../src/testing/table-definition.ts';
import { FencedTable } from '../constructs/fenced-table.ts';
import { LeaseTable } from '../constructs/lease-table.ts';
import { tableProps } from './table-props.ts';

/** What a program calls its tables, `leases` among them, and what each of them is. */
export type Definitions = { readonly leases: object } & Readonly<
  Record<string, Omit<TableDefinition, 'tableName'>>
>;

/**
 * The tables of an example: its leases, and the items that they fence. Each example has leases of its own, so that its functions can
 * touch those of nobody else.
 */
export class ExampleTables<Name extends string> extends Construct {
  readonly leases: LeaseTable;
  /** By what the program calls them. */
  readonly items: Readonly<Record<Name, FencedTable>>;

  constructor(scope: Construct, id: string, definitions: Definitions & Readonly<Record<Name, object>>) {
    super(scope, id);
    const { leases: _, ...items } = definitions;
    this.leases = new LeaseTable(this, 'Leases');
    this.items = Object.fromEntries(
      Object.entries(items).map(([name, definition]) => [
        name,
        new FencedTable(this, capitalised(name), tableProps(definition)),
      ]),
    ) as Record<Name, FencedTable>;
    // The tables have no fixed names, so that a replacement never collides with what was retained.
    for (const [name, { tableName }] of Object.entries<FencedTable | LeaseTable>({
      leases: this.leases,
      ...this.items,
    })) {
      new CfnOutput(this, `${capitalised(name)}TableName`, { value: tableName });
    }
  }
}

function capitalised(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}

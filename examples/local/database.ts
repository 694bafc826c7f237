import { join } from 'node:path';
import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { type LocalDynamoDB, startLocalDynamoDB } from 'dynamodb-fenced/testing';
import { createTablesOf } from './create-tables-of.ts';
import type { Template } from './template.ts';

/**
 * A local DynamoDB with the tables of a template; those that the folder has already are kept, with what is in them.
 *
 * @throws where the folder is in use, or cannot keep data.
 */
export async function openDatabase(folder: string | undefined, template: Template): Promise<LocalDynamoDB> {
  const db = await startLocalDynamoDB(folder === undefined ? {} : { path: join(folder, 'dynamodb') });
  try {
    const { TableNames: kept = [] } = await db.client().send(new ListTablesCommand({}));
    for (const table of createTablesOf(template)) {
      if (!kept.includes(table.TableName ?? '')) await db.createTable(table);
    }
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

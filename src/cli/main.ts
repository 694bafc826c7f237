#!/usr/bin/env node
import { Command } from 'commander';
import { localCommand } from './local-command.ts';

const program = new Command('dynamodb-fenced')
  .description('Fencing tokens for DynamoDB: tools for development.')
  .addCommand(localCommand());

await program.parseAsync();

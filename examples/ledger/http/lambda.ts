// What Lambda runs of the ledger.
import { inLambda } from '../../edge/in-lambda.ts';
import { ledgerLambda } from './ledger-lambda.ts';

export const handler = ledgerLambda(inLambda());

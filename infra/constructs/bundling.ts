import { type BundlingOptions, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';

/**
 * Where the SDK looks for credentials on the machines of people, and in clusters. A function has those of its role in its
 * environment, where they are found first, so none of these is ever loaded there; they would be a quarter of the bundle.
 */
const credentialsOfPeople = ['ini', 'login', 'process', 'sso', 'web-identity'];

/** How the code of functions is bundled, where it is not said otherwise. Two clones of a project make the same bundle. */
export const bundlingDefaults: BundlingOptions = {
  format: OutputFormat.ESM,
  mainFields: ['module', 'main'],
  // The oldest Node that the library runs on, so that a bundle can be tried anywhere.
  target: 'node20',
  minify: true,
  // A refusal is told by the name and the shape of the SDK's error, so the SDK that was tested is the one that is shipped.
  bundleAwsSDK: true,
  externalModules: credentialsOfPeople.map((name) => `@aws-sdk/credential-provider-${name}`),
  // For who reads a stack trace. The function does not: Node reads the map with the module, a fifth of the time that it takes to load.
  sourceMap: true,
  sourcesContent: false,
};

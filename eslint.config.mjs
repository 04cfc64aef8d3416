import js from '@eslint/js';
import tseslint from 'typescript-eslint';

const opensItsOwnTransaction = {
  selector: 'CallExpression[callee.property.name=/^(save|remove)$/]',
  message: 'TypeORM wraps save and remove in a transaction of their own: use insert, update or delete.',
};

const listensTooLate = {
  selector: 'CallExpression[callee.property.name=/^(on|once|addListener|addEventListener)$/] > AwaitExpression.arguments',
  message: 'An event that happens while this is awaited is missed: bind what is awaited to an AbortSignal (KeyedSemaphore.acquireUntil, closeSignal).',
};

const stateOfModule = [
  'Program > VariableDeclaration[kind=let]',
  'Program > ExportNamedDeclaration > VariableDeclaration[kind=let]',
  'Program > VariableDeclaration > VariableDeclarator > NewExpression[callee.name=/^(Map|Set)$/][arguments.length=0]',
  'Program > ExportNamedDeclaration > VariableDeclaration > VariableDeclarator > NewExpression[callee.name=/^(Map|Set)$/][arguments.length=0]',
].map((selector) => ({
  selector,
  message: 'State of a module is shared by everything in a process, and by test files that follow each other: keep it in what a factory makes.',
}));

const presentersWaitForNothing = {
  selector: ':function[async=true]',
  message: 'A presenter is a pure function of what the handler has read: read in the handler, by a query of the domain or a repository.',
};

export default tseslint.config(
  // Examples have packages of their own: test/docs checks their types.
  { ignores: ['dist/', 'clients/typescript/dist/', 'clients/typescript/src/openapi.ts', '.local/', 'node_modules/', 'docs/examples/'] },
  {
    files: ['**/*.ts'],
    extends: [js.configs.recommended, tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
      'object-shorthand': 'error',
      'max-lines': ['error', { max: 300 }],
      'no-restricted-syntax': ['error', listensTooLate],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // Control characters are what several of our patterns are there to refuse.
      'no-control-regex': 'off',
      // A function that keeps a contract of promises is async, whether or not it waits for something.
      '@typescript-eslint/require-await': 'off',
      // Our interfaces are kept by closures, whose methods may be taken apart.
      '@typescript-eslint/unbound-method': 'off',
      // A row's type is said where a statement is run.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      // Entities carry columns only; a plain object is as good as an instance.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
    },
  },
  {
    files: ['api/**', 'domain/**', 'db/**', 'activities/**', 'worker/**', 'lib/**', 'outbound/**', 'console/**', 'config/**'],
    rules: { 'no-restricted-syntax': ['error', opensItsOwnTransaction, listensTooLate, ...stateOfModule] },
  },
  {
    files: ['api/**/*.presenter.ts'],
    rules: { 'no-restricted-syntax': ['error', opensItsOwnTransaction, listensTooLate, ...stateOfModule, presentersWaitForNothing] },
  },
  { files: ['db/migrations/**'], rules: { 'max-lines': 'off' } },
  {
    // A test reads what came back without saying its type: the answer itself is held against its schema.
    files: ['test/**'],
    rules: {
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
);

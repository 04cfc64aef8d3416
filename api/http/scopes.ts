// The scopes, for what is generated from the records of the operations.
export { scopes, type Scope } from '../../domain/scopes';

// `npm run test:notification-mutations` breaks each rule of telling members once, and fails if the tests miss one. With arguments it runs
// the mutations whose names contain one of them.
import { runMutations } from '../run-mutations.ts'
import { mutations } from './mutations.ts'

process.exitCode = runMutations(mutations)

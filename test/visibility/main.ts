// `npm run test:visibility-mutations` runs the test of visibility with each mutation, and fails if it misses one. With arguments it runs
// the mutations whose names contain one of them.
import { runMutations } from '../run-mutations.ts'
import { mutations } from './mutations.ts'

process.exitCode = runMutations(mutations)

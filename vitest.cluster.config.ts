import { defineConfig } from 'vitest/config'
import { sharedOptions } from './vitest.config.ts'

// biome-ignore lint/style/noProcessEnv: the operator names the cluster
const clusterUrl = process.env.CLUSTER_URL

/** Tests that add triggers to the distributed tables, or use one `client_id` for two receivers, which a cluster does not refuse. */
const ofOnePrimary = [
  'different receivers',
  'another text or receiver',
  'stored slowly keeps its place',
  'whose commit fails',
  'has no session any more at its commit',
]

/** `npm run test:long -- --only=cluster`: the tests of messages on a Citus cluster, one file after the other in its database. */
export default defineConfig({
  test: {
    ...sharedOptions,
    globalSetup: 'test/global-setup.ts',
    include: ['test/cluster/*.cluster.ts', 'server/features/messages/*.test.ts'],
    exclude: ['server/features/messages/{plans,distribution,previous-release}.test.ts'],
    testNamePattern: new RegExp(`^(?!.*(${ofOnePrimary.join('|')}))`),
    provide: { isLong: false, clusterUrl },
    maxWorkers: 1,
    fileParallelism: false,
  },
})

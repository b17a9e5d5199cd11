// `npm run test:soak -- 30` runs two nodes under steady load for 30 minutes and fails if memory or file descriptors grow.
// `--pause=500` sets the milliseconds between two requests of a member, for a machine with other load.
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startTestCluster } from '#test/fault-injection/test-cluster.ts'
import { startMailServer } from '#test/mail-server.ts'
import { isReady, startBalancer } from './balancer.ts'
import { growthOf, isFlat, type Sample } from './growth.ts'
import { newMembers, startSteadyLoad } from './load.ts'

const { values, positionals } = parseArgs({
  options: { pause: { type: 'string', default: '100' } },
  allowPositionals: true,
})
const minutes = Number(positionals[0] ?? 30)
if (!(minutes > 0)) throw new Error('The minutes must be a positive number')
const pauseMs = Number(values.pause)
if (!(pauseMs >= 0)) throw new Error('The pause must be a number of milliseconds')
const sampleEveryMs = 5000
/** The share of the run that is not measured: code is compiled and pools and caches fill. */
const warmUpShare = 1 / 3
const tolerance = { memory: { share: 0.1, least: 16 }, descriptors: { share: 0, least: 5 } }

const mails = await startMailServer()
// Without a limit, V8 collects garbage so rarely that the memory rises for several minutes.
const cluster = await startTestCluster({
  flags: ['--max-old-space-size=256'],
  settings: { SMTP_URL: mails.url },
})
const balancer = await startBalancer(cluster.nodes)
for (const node of cluster.nodes) while (!(await isReady(node.url() ?? ''))) await sleep(50)
const names = Array.from({ length: 10 }, (_, index) => `soak_${index}`)
const members = await newMembers(cluster.nodes[0]?.url() ?? '', names)
const load = await startSteadyLoad(balancer.url, members, { pauseMs, photoEvery: 20, pages: true })

const series = cluster.nodes.map(() => ({ memory: [] as Sample[], descriptors: [] as Sample[] }))
const startedAt = performance.now()
for (let turn = 0; performance.now() - startedAt < minutes * 60_000; turn += 1) {
  await sleep(sampleEveryMs)
  const seconds = (performance.now() - startedAt) / 1000
  for (const [index, node] of cluster.nodes.entries()) {
    const status = await readFile(`/proc/${node.pid()}/status`, 'utf8')
    const memory = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
    const descriptors = (await readdir(`/proc/${node.pid()}/fd`)).length
    series[index]?.memory.push({ seconds, value: memory })
    series[index]?.descriptors.push({ seconds, value: descriptors })
    if (turn % 12 === 0)
      console.log(
        `${Math.round(seconds)} s, node ${index}: ${Math.round(memory)} MB, ${descriptors} descriptors`,
      )
  }
}
const { requests, failed, acknowledged } = await load.stop()
await balancer[Symbol.asyncDispose]()
await cluster[Symbol.asyncDispose]()
await mails.stop()

let violations = failed.length
for (const line of failed.slice(0, 20)) console.log(`  ${line}`)
for (const [index, node] of series.entries()) {
  for (const metric of ['memory', 'descriptors'] as const) {
    const measured = node[metric].filter(({ seconds }) => seconds > minutes * 60 * warmUpShare)
    const isFine = isFlat(measured, tolerance[metric])
    if (!isFine) violations += 1
    const values = measured.map(({ value }) => value)
    console.log(
      `${isFine ? 'ok' : 'FAILED'}  node ${index}, ${metric}: ${Math.round(Math.min(...values))} to ${Math.round(Math.max(...values))}, growth ${growthOf(measured).toFixed(1)}`,
    )
  }
}
console.log(`${requests} requests, ${failed.length} failed; ${acknowledged.length} messages over sockets.`)
process.exit(violations > 0 ? 1 : 0)

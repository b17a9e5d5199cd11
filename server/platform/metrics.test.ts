import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { sql } from 'kysely'
import { Gauge } from 'prom-client'
import { describe, expect, test } from 'vitest'
import { getListing } from '#contract/listings.ts'
import { metricsOf, metricsUrlOf } from '#test/metrics.ts'
import { newWorld } from '#test/world.ts'
import { createMetrics, metricsServer } from './metrics.ts'

test('serves metrics on a separate port only', async () => {
  await using world = await newWorld({
    registration: true,
    config: { metrics: { host: '127.0.0.1', port: 0 } },
  })
  const [ann] = await world.members('ann')
  await ann.try(getListing, { params: { id: 987_654_321 } })
  await world.guest().send('GET', '/api/images/nothing.webp')
  await world.jobsDone()
  // After a rollback, no node runs the jobs of the later version.
  await sql`select jobs.create_queue('later', '{"policy": "standard"}')`.execute(world.db)
  await sql`insert into jobs.job (name) values ('later')`.execute(world.db)
  const address = metricsUrlOf(world)
  const metrics = await metricsOf(world)

  expect(new URL(address).port).not.toBe(new URL(world.url).port)
  expect(metrics).toMatch(
    /rhubarb_http_request_seconds_count\{method="GET",route="\/api\/listings\/:id",status="404"\} 1/,
  )
  expect(metrics).toMatch(/rhubarb_jobs_total\{kind="send-welcome-mail",outcome="done"\} 1/)
  expect(metrics).toMatch(/rhubarb_mails_total\{outcome="sent"\} 1/)
  expect(metrics).toMatch(/rhubarb_database_connections\{state="total"\} [1-9]/)
  expect(metrics).toMatch(/rhubarb_job_seconds_count\{kind="send-welcome-mail"\} 1/)
  expect(metrics).toMatch(/rhubarb_jobs_due 0\n/)
  expect(metrics).toMatch(/rhubarb_jobs_dead_letters 0\n/)
  expect(metrics).toMatch(/rhubarb_event_bus_connected 1\n/)
  expect(metrics).toMatch(/nodejs_eventloop_lag_seconds/)
  expect(metrics).not.toMatch(/987654321|nothing\.webp|ann/)
  expect((await fetch(new URL('/', address))).status).toBe(404)

  const { body } = await world.guest().send<Blob | object>('GET', '/metrics')
  expect(body instanceof Blob ? await body.text() : JSON.stringify(body)).not.toContain(
    'rhubarb_http_request_seconds',
  )
})

test('counts mails from the start of a node, so that the alert fires if the first ones fail', async () => {
  const metrics = await createMetrics().registry.metrics()
  for (const outcome of ['sent', 'failed', 'deferred', 'refused'])
    expect(metrics).toContain(`rhubarb_mails_total{outcome="${outcome}"} 0\n`)
})

test('answers 503 if a metric can not be read', async () => {
  const metrics = createMetrics()
  const collect = () => Promise.reject(new Error('away'))
  new Gauge({ name: 'broken', help: 'A metric that can not be read', collect, registers: [metrics.registry] })
  const server = metricsServer(metrics).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(503)
  server.close()
})

describe('alerts and dashboards', () => {
  const read = (path: string) => readFile(join(import.meta.dirname, '../../deploy', path), 'utf8')
  const names = (text: string) => text.match(/\b(?:rhubarb|nodejs|process)_\w+/g) ?? []

  test('use existing metrics', async () => {
    await using world = await newWorld({ config: { metrics: { host: '127.0.0.1', port: 0 } } })
    const served = await metricsOf(world)
    const alerts = load(await read('prometheus/alerts.yml')) as Alerts
    const dashboard: Dashboard = JSON.parse(await read('grafana/rhubarb.json'))
    const used = [
      ...alerts.groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
      ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ].flatMap(names)
    expect(used.length).toBeGreaterThan(20)
    const kinds = new Set(served.match(/(?<=^# TYPE )\w+/gm))
    const isServed = (name: string) =>
      kinds.has(name) || kinds.has(name.replace(/_(?:bucket|count|sum)$/, ''))
    expect(used.filter((name) => !isServed(name))).toEqual([])
  })

  test('have a runbook for each alert and no other', async () => {
    const alerts = load(await read('prometheus/alerts.yml')) as Alerts
    const rules = alerts.groups.flatMap((group) => group.rules)
    const runbooks = await read('../docs/runbooks.md')
    expect([...runbooks.matchAll(/^## (\w+)$/gm)].map(([, name]) => name)).toEqual(
      rules.map(({ alert }) => alert),
    )
    for (const { alert, annotations } of rules)
      expect(annotations.runbook).toBe(`docs/runbooks.md#${alert.toLowerCase()}`)
  })
})

interface Alerts {
  groups: { rules: { alert: string; expr: string; annotations: { runbook: string } }[] }[]
}

interface Dashboard {
  panels: { targets: { expr: string }[] }[]
}

import { expect, test } from 'vitest'
import { getListing } from '#contract/listings.ts'
import { newWorld } from '#test/world.ts'

test('metrics are served on a port of their own, and not where members come', async () => {
  await using world = await newWorld({ config: { metrics: { host: '127.0.0.1', port: 0 } } })
  const [ann] = await world.members('ann')
  await ann.try(getListing, { params: { id: 987_654_321 } })
  await world.guest().send('GET', '/api/images/nothing.webp')
  await world.jobsDone()
  const [, address = ''] = /"url":"(http:\/\/127\.0\.0\.1:\d+\/metrics)"/.exec(world.logged.join('')) ?? []
  const metrics = await (await fetch(address)).text()

  expect(new URL(address).port).not.toBe(new URL(world.url).port)
  expect(metrics).toMatch(
    /rhubarb_http_request_seconds_count\{method="GET",route="\/api\/listings\/:id",status="404"\} 1/,
  )
  expect(metrics).toMatch(/rhubarb_jobs_total\{kind="welcome-mail",outcome="done"\} 1/)
  expect(metrics).toMatch(/rhubarb_mails_total\{outcome="sent"\} 1/)
  expect(metrics).toMatch(/rhubarb_database_connections\{state="total"\} [1-9]/)
  expect(metrics).toMatch(/nodejs_eventloop_lag_seconds/)
  expect(metrics).not.toMatch(/987654321|nothing\.webp|ann/)
  expect((await fetch(new URL('/', address))).status).toBe(404)

  const { body } = await world.guest().send<Blob | object>('GET', '/metrics')
  expect(body instanceof Blob ? await body.text() : JSON.stringify(body)).not.toContain(
    'rhubarb_http_request_seconds',
  )
})

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PageRequest } from '#web/context/page-request.ts'
import { root } from '../../scripts/setup.mjs'
import { median } from '../sample.ts'

const warmUps = 50
const renders = 200

/** Returns the median CPU time of rendering a member's page with cached API responses, in milliseconds. */
export async function renderingMs(
  url: string,
  path: string,
  token: string,
  member: { id: number; username: string },
): Promise<number> {
  const { renderPage }: { renderPage(request: Request, page: PageRequest): Promise<Response> } = await import(
    pathToFileURL(join(root, 'dist', 'ssr', 'server.js')).href
  )
  const responses = new Map<string, { text: string; link: string | null }>()
  const page: PageRequest = {
    nonce: 'nonce',
    site: {
      name: 'Rhubarb',
      sentence: '',
      logo: null,
      banner: undefined,
      registration: 'open',
      publicUrl: 'https://rhubarb.example',
      supportEmail: 'help@rhubarb.example',
      region: { country: 'US', currency: 'USD', distanceUnit: 'mi' },
      socialLinks: [],
    },
    language: 'en',
    ssr: true,
    member,
    hasCookie: true,
    async fetch(input) {
      const address = String(input)
      const known = responses.get(address)
      if (known !== undefined)
        return new Response(known.text, { headers: known.link ? { link: known.link } : {} })
      const response = await fetch(new URL(address, url), { headers: { authorization: `Bearer ${token}` } })
      const text = await response.text()
      if (response.ok) responses.set(address, { text, link: response.headers.get('link') })
      return new Response(text, response)
    },
  }
  const times: number[] = []
  for (let run = -warmUps; run < renders; run += 1) {
    const before = process.cpuUsage()
    const response = await renderPage(new Request(new URL(path, url)), page)
    const html = await response.text()
    const { user, system } = process.cpuUsage(before)
    if (response.status !== 200 || !html.includes('<h1')) throw new Error(`${path} was not rendered`)
    if (run >= 0) times.push((user + system) / 1000)
  }
  return median(times)
}

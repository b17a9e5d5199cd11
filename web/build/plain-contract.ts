import { pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import type { Plugin } from 'vite'
import type { Endpoint } from '#contract/endpoint.ts'

const plain = '?plain'

/**
 * Whoever calls an operation needs its method and its path, not the schemas of what travels; whoever says a sentence needs no
 * schema at all. Such values of the contract are written out as they are, so that zod only comes with the forms that ask it.
 */
export function plainContract(root: string): Plugin {
  return {
    name: 'rhubarb:plain-contract',
    apply: 'build',
    async resolveId(source, importer) {
      if (!source.startsWith('#contract/') || !source.endsWith(plain)) return
      const module = await this.resolve(source.slice(0, -plain.length), importer)
      return module && `${module.id}${plain}`
    },
    load: {
      filter: { id: /\/contract\/[\w-]+\.ts\?plain$/ },
      async handler(id) {
        const values = await plainValues(id.slice(0, -plain.length))
        return [...values]
          .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
          .join('\n')
      },
    },
    transform: {
      order: 'post',
      filter: { id: { include: `${root}/**` }, code: '#contract/' },
      async handler(code) {
        let written = code
        for (const node of this.parse(code).body) {
          if (node.type !== 'ImportDeclaration' || !node.source.value.startsWith('#contract/')) continue
          const from = node.source.value
          const module = await this.resolve(from, `${root}/main.tsx`)
          const values = module ? await plainValues(module.id) : new Map<string, unknown>()
          const taken = node.specifiers.map(({ start, end }) => code.slice(start, end))
          const isPlain = (name: string) => values.has(name.replace(/ as .*/, ''))
          const light = taken.filter(isPlain)
          if (light.length === 0) continue
          const heavy = taken.filter((name) => !isPlain(name))
          const imports = [`import { ${light.join(', ')} } from '${from}${plain}'`]
          if (heavy.length > 0) imports.push(`import { ${heavy.join(', ')} } from '${from}'`)
          written = written.replace(code.slice(node.start, node.end), () => imports.join('; '))
        }
        return written === code ? undefined : { code: written, map: null }
      },
    },
  }
}

/** Of a module of the contract: the operations as they are called, and what is nothing but data. */
async function plainValues(file: string): Promise<ReadonlyMap<string, unknown>> {
  const module: Record<string, unknown> = await import(pathToFileURL(file).href)
  return new Map(
    Object.entries(module).flatMap(([name, value]): [string, unknown][] => {
      if (isEndpoint(value)) return [[name, asCalled(value)]]
      return isData(value) ? [[name, value]] : []
    }),
  )
}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'method' in value && 'response' in value
}

/** What `web/api/client.ts` reads. */
function asCalled({ method, path, auth, encoding, file, response }: Endpoint) {
  const answers = Object.entries(response).map(([status, answer]) => [
    status,
    typeof answer === 'string' ? answer : 'json',
  ])
  return { method, path, auth, encoding, file, response: Object.fromEntries(answers) }
}

function isData(value: unknown): boolean {
  const text = JSON.stringify(value)
  return text !== undefined && isDeepStrictEqual(JSON.parse(text), value)
}

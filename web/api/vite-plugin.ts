import { type ESTree, type Plugin, parseSync, Visitor } from 'vite'

/** The parts of an endpoint that only the server reads. `client.ts` reads the others. */
const serverParts = new Set(['summary', 'notFound', 'params', 'query', 'body'])

/**
 * Keeps the schemas of calls and responses out of the browser's scripts. In the client's copy of `contract/`, an endpoint has only what a
 * call needs, and a JSON response has the tag `json` instead of its schema. Definitions are marked as free of side effects, because the
 * bundler keeps calls that it does not know, also if nothing imports their result.
 */
export function contractWithoutSchemas(): Plugin {
  return {
    name: 'rhubarb:contract-without-schemas',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    transform: {
      filter: { id: /\/contract\/[\w-]+\.ts$/ },
      handler: (code, id) => ({ code: withoutSchemas(code, id), map: null }),
    },
  }
}

/** Returns the source of a module of the contract without schemas of calls and responses. */
export function withoutSchemas(code: string, id: string): string {
  const { program } = parseSync(id, code)
  const calls: number[] = []
  /** Texts to insert, and the positions up to which they replace the source, by the position where they begin. */
  const edits: (readonly [start: number, end: number, text: string])[] = []
  new Visitor({
    CallExpression: ({ start }) => void calls.push(start),
    ObjectExpression: ({ properties }) => {
      const parts = properties.filter((part) => part.type === 'Property')
      if (!parts.some((part) => isNamed(part, ['auth', 'response']))) return
      for (const part of parts) {
        if (isNamed(part, serverParts)) edits.push([part.start, part.end, '...{}'])
        if (isNamed(part, ['response']))
          edits.push(...schemasOf(part).map(({ start, end }) => [start, end, "'json'"] as const))
      }
    },
  }).visit(program)
  for (const { init } of definitionsIn(program)) {
    if (init === null || init.type === 'ArrowFunctionExpression') continue
    if (!calls.some((start) => start >= init.start && start < init.end)) continue
    edits.push([init.start, init.start, '/* @__PURE__ */ (() => ('], [init.end, init.end, '))()'])
  }
  return edits
    .toSorted(([a], [b]) => b - a)
    .reduce((text, [start, end, inserted]) => text.slice(0, start) + inserted + text.slice(end), code)
}

function isNamed({ key }: ESTree.ObjectProperty, names: Iterable<string>): boolean {
  return key.type === 'Identifier' && [...names].includes(key.name)
}

/** Returns the schemas of a property `response`, whose other values are tags. */
function schemasOf({ value }: ESTree.ObjectProperty): ESTree.Expression[] {
  if (value.type !== 'ObjectExpression') return []
  return value.properties
    .flatMap((status) => (status.type === 'Property' ? status.value : []))
    .filter(({ type }) => type !== 'Literal')
}

function definitionsIn({ body }: ESTree.Program): ESTree.VariableDeclarator[] {
  return body
    .map((statement) => (statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement))
    .flatMap((statement) => (statement?.type === 'VariableDeclaration' ? statement.declarations : []))
}

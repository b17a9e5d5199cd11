import { readFileSync } from 'node:fs'
import { join } from 'node:path'
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
      filter: { id: /\/contract\/[\w-]+\.ts(?:\?schemas)?$/ },
      handler(code, id) {
        const file = id.replace(schemas, '')
        const short = withoutSchemas(code, file)
        const own = file === id ? withSchemasApart(short, file) : short
        return { code: own, map: null, moduleSideEffects: false }
      },
    },
  }
}

/** Ends the id of the second copy of a module, from which forms get their schemas. */
const schemas = '?schemas'
const zod = 'zod/mini'

/**
 * Replaces the definitions of exported schemas by exports of the second copy. A module is in the scripts as a whole, so that every screen
 * would load zod and the schemas of all forms with the calls.
 */
export function withSchemasApart(code: string, file: string): string {
  const { program } = parseSync(file, code)
  const names = schemasIn(program, file)
  return program.body
    .flatMap((statement) => {
      if (statement.type !== 'ExportNamedDeclaration') return []
      const name = definitionsIn([statement]).find(({ name }) => names.has(name))?.name
      return name === undefined ? [] : [{ ...statement, name }]
    })
    .reduceRight(
      (text, { start, end, name }) =>
        `${text.slice(0, start)}export { ${name} } from '${file}${schemas}'${text.slice(end)}`,
      code,
    )
}

/** Returns the names of schemas and of functions that make them: those that refer to zod or to another schema, also of other modules. */
function schemasIn(program: ESTree.Program, file: string): Set<string> {
  const names = new Set<string>()
  for (const statement of program.body) {
    if (statement.type !== 'ImportDeclaration') continue
    const { value: source } = statement.source
    const others = source === zod ? undefined : schemasOfFile(join(file, '..', source))
    for (const { local } of statement.specifiers)
      if (others === undefined || others.has(local.name)) names.add(local.name)
  }
  const references = referencesIn(program)
  for (const { name, start, end } of definitionsIn(program.body))
    if (
      references.some(
        (reference) => reference.start > start && reference.start < end && names.has(reference.name),
      )
    )
      names.add(name)
  return names
}

function schemasOfFile(file: string): Set<string> {
  const code = withoutSchemas(readFileSync(file, 'utf8'), file)
  return schemasIn(parseSync(file, code).program, file)
}

function referencesIn(program: ESTree.Program): { name: string; start: number }[] {
  const references: { name: string; start: number }[] = []
  /** The positions of names of properties. */
  const properties = new Set<number>()
  new Visitor({
    Identifier: ({ name, start }) => void references.push({ name, start }),
    MemberExpression: ({ computed, property }) => void (!computed && properties.add(property.start)),
    Property: ({ computed, shorthand, key }) => void (!computed && !shorthand && properties.add(key.start)),
  }).visit(program)
  return references.filter(({ start }) => !properties.has(start))
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
  for (const { init } of variablesIn(program.body)) {
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

interface Definition {
  readonly name: string
  readonly start: number
  readonly end: number
}

/** Returns the variables and functions of a module. */
function definitionsIn(body: readonly ESTree.Statement[]): Definition[] {
  const functions = declarationsIn(body).flatMap((declaration) =>
    declaration.type === 'FunctionDeclaration' ? declaration : [],
  )
  return [...functions, ...variablesIn(body)].flatMap(({ id, start, end }) =>
    id?.type === 'Identifier' ? { name: id.name, start, end } : [],
  )
}

function variablesIn(body: readonly ESTree.Statement[]): ESTree.VariableDeclarator[] {
  return declarationsIn(body).flatMap((declaration) =>
    declaration.type === 'VariableDeclaration' ? declaration.declarations : [],
  )
}

function declarationsIn(body: readonly ESTree.Statement[]) {
  return body.flatMap(
    (statement) => (statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement) ?? [],
  )
}

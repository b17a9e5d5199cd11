import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { type ESTree, parseSync } from 'vite'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Strings of two words or more that nobody reads as a text of ours, by the reason. */
const otherStrings: readonly (readonly [reason: string, string: RegExp])[] = [
  [
    'names of an error, an encoding and a reason of Socket.IO',
    /^(?:import failed|multipart or json|io server disconnect)$/,
  ],
  [
    'messages to the service worker, which may be of another version',
    /^(?:Which (?:version|path)\?|store pages|log out)$/,
  ],
  ['the markup of the page', /^<!DOCTYPE html>…$/],
]

/** Properties of elements whose texts are shown or read aloud. */
const textProperties = new Set(
  'about,action,alt,aria-description,aria-label,aria-roledescription,aria-valuetext,busy,cancel,failure,hint,label,legend,linkLabel,of,placeholder,question,retry,text,title'.split(
    ',',
  ),
)
/** Those of objects. The others are also names of keys and data. */
const shownFields = /^(?:alt|heading|hint|label|legend|placeholder|question|text|title)$/
/** Functions and constants whose values are texts. */
const namedAsText = /(?:Text|Label|Title|Hint|Words)s?$|^(?:labels|texts|titles)$/
/** Functions that show their arguments. */
const showingCalls = /^(?:toasts\.show|announce|useAnnounced)$/
/** Components whose `name` is a text. For others it is a key. */
const namedByText = /^(?:Switch|Detail)$/
/** Functions whose texts are not shown: they are for developers, or a key, a selector, a header. */
const developerCalls =
  /^(?:Error|TypeError|info|error|warn|querySelector|querySelectorAll|closest|matches|matchMedia|test|exec|set|append|appendChild|addEventListener|postMessage|open|classNames|RegExp|URL|DOMException)$/

type Node = { type: string; start: number } & Record<string, unknown>
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'type') === 'string'

/** Returns the name of a call, tag, element or property. */
function nameOf(value: unknown): string {
  if (!isNode(value)) return ''
  if (typeof value.name === 'string') return value.name
  if (value.type === 'Super') return 'Error'
  if (value.type === 'JSXNamespacedName') return `${nameOf(value.namespace)}:${nameOf(value.name)}`
  return nameOf(value.property ?? value.name)
}

/** Returns "toasts.show" of such a call. */
function pathOf(callee: unknown): string {
  const owner = isNode(callee) && callee.type === 'MemberExpression' ? `${nameOf(callee.object)}.` : ''
  return `${owner}${nameOf(callee)}`
}

/** Returns the text of a literal or a template without its values. */
function textOf(node: Node): string | undefined {
  if (node.type === 'Literal' || node.type === 'JSXText')
    return typeof node.value === 'string' ? node.value : undefined
  if (node.type !== 'TemplateLiteral') return undefined
  const parts = node.quasis as readonly ESTree.TemplateElement[]
  return parts.map(({ value }) => value.raw).join('…')
}

/** Returns whether a text is of two words or more, or one with a capital and an end, or one beside a value. */
function isSentence(text: string): boolean {
  if (otherStrings.some(([, string]) => string.test(text))) return false
  return (
    /\p{L}{2,} (?:\p{L}+ )*\p{L}{2,}|^\p{Lu}\p{L}+, \p{L}{2,}/u.test(text) ||
    /^[A-Z][a-z]+(?:\.\.\.|[.!?])$/.test(text) ||
    // A word beside a value: `${count} unread`.
    /^\p{L}{3,} …$|^… \p{L}{3,}( \p{L}+)*$/u.test(text)
  )
}

/** Returns whether a text is the name of the site or an address. */
const isSameEverywhere = (text: string) => text === 'Rhubarb' || /^\S+@\S+$/.test(text)

const macros = /^(?:t|msg|plural|selectOrdinal|Trans|Plural|SelectOrdinal)$/

/** Returns whether a node is the argument, template or content of a macro. */
function isMacro(node: Node): boolean {
  if (node.type === 'CallExpression') return macros.test(nameOf(node.callee))
  if (node.type === 'TaggedTemplateExpression') return macros.test(nameOf(node.tag))
  return node.type === 'JSXElement' && macros.test(nameOf(Reflect.get(node.openingElement as Node, 'name')))
}

/** Returns whether no screen shows the strings in a node. */
function isInternal(node: Node): boolean {
  if (node.type === 'ImportDeclaration' || node.type.startsWith('TS'))
    return node.type !== 'TSAsExpression' && node.type !== 'TSSatisfiesExpression'
  if (node.type === 'CallExpression' || node.type === 'NewExpression')
    return developerCalls.test(nameOf(node.callee))
  if (node.type === 'JSXAttribute')
    return /^(?:className|style|d|to|href|rel|src|srcSet|sizes|media|content|preserveAspectRatio)$/.test(
      nameOf(node.name),
    )
  return false
}

/** Returns the parts of a node that are shown if the node is: the branches of `{isMine ? 'yours' : 'theirs'}`, the values of labels. */
function shownParts({ type, ...node }: Node): readonly unknown[] {
  if (type === 'JSXElement' || type === 'JSXFragment') return node.children as readonly unknown[]
  if (type === 'JSXExpressionContainer' || type === 'ChainExpression') return [node.expression]
  if (type === 'ConditionalExpression') return [node.consequent, node.alternate]
  if (type === 'LogicalExpression') return [node.left, node.right]
  if (type === 'TSAsExpression' || type === 'TSSatisfiesExpression') return [node.expression]
  if (type === 'ArrowFunctionExpression') return [node.body]
  if (type === 'ArrayExpression') return node.elements as readonly unknown[]
  if (type === 'ObjectExpression') return node.properties as readonly unknown[]
  if (type === 'Property') return [node.value]
  if (type === 'BlockStatement') return node.body as readonly unknown[]
  return type === 'ReturnStatement' ? [node.argument] : []
}

/** Returns the parts of a node that are shown, whatever is around it: what an element contains, a label, the argument of a toast. */
function alwaysShown(node: Node): readonly unknown[] {
  if (node.type === 'JSXElement' || node.type === 'JSXFragment') return shownParts(node)
  if (node.type === 'JSXAttribute' && textProperties.has(nameOf(node.name))) return [node.value]
  if (node.type === 'Property' && shownFields.test(nameOf(node.key))) return [node.value]
  if (node.type === 'AssignmentPattern' && shownFields.test(nameOf(node.left))) return [node.right]
  if (node.type === 'VariableDeclarator' && namedAsText.test(nameOf(node.id))) return [node.init]
  if (node.type === 'FunctionDeclaration' && namedAsText.test(nameOf(node.id))) return [node.body]
  if (node.type === 'CallExpression' && showingCalls.test(pathOf(node.callee)))
    return (node.arguments as readonly Node[]).filter(({ type }) => type !== 'ObjectExpression')
  return []
}

interface Place {
  readonly owner?: Node
  /** The name of the element around it. */
  readonly element: string
  readonly isContent: boolean
}

function isShown(node: Node, text: string, { owner, element, isContent }: Place): boolean {
  if (!/\p{L}{2}/u.test(text) || isSameEverywhere(text)) return false
  const property = owner?.type === 'JSXAttribute' ? nameOf(owner.name) : ''
  return (
    isContent ||
    node.type === 'JSXText' ||
    isSentence(text) ||
    textProperties.has(property) ||
    (property === 'name' && namedByText.test(element))
  )
}

/** Returns the texts of a module of the client that no macro translates. */
function rawTexts(file: string, code: string): string[] {
  const found: string[] = []
  const visit = (value: unknown, place: Place): void => {
    if (Array.isArray(value)) for (const each of value) visit(each, place)
    if (!isNode(value) || isMacro(value) || isInternal(value)) return
    const text = textOf(value)
    if (text !== undefined && isShown(value, text, place)) found.push(`${file}: ${text.trim()}`)
    const element = value.type === 'JSXOpeningElement' ? nameOf(value.name) : place.element
    const content = [...alwaysShown(value), ...(place.isContent ? shownParts(value) : [])]
    for (const child of content) visit(child, { owner: value, element, isContent: true })
    for (const child of Object.values(value))
      for (const part of Array.isArray(child) ? child : [child])
        if (!content.includes(part)) visit(part, { owner: value, element, isContent: false })
  }
  visit(parseSync(file, code).program, { element: '', isContent: false })
  return found
}

test('every text of the client is in a macro', async () => {
  const found: string[] = []
  for await (const file of glob('web/**/*.{ts,tsx}', { cwd: root })) {
    if (/\.test\.|^web\/(?:components|testing)\/|route-tree/.test(file)) continue
    found.push(...rawTexts(file, readFileSync(join(root, file), 'utf8')))
  }
  expect(found).toEqual([])
})

test.each([
  ['<p>no listings</p>'],
  ["<p>{isMine ? 'yours' : null}</p>"],
  ["<p>{isMine ? 'Still there: list it again' : null}</p>"],
  ['<Empty text="No listings found." />'],
  ["toasts.show('Link copied to the clipboard')"],
  ["const busy = isPending && 'Loading...'"],
  ['const text = `The listings ended today.`'],
  ['const text = `$' + '{count} unread`'],
  ['const text = `Until $' + '{day}`'],
  ["const tabs = [{ label: 'friends', to: '/myfriends' }]"],
  ["const tab = { label: isMine ? 'mine' : t`theirs` }"],
  ["const labels = { have: 'have' }"],
  ["function kindText() { return 'swap' }"],
  ["function Notice({ label = 'more' }) { return label }"],
  ["toasts.show('saved')"],
  ["if (error.detail === 'friend request not found') retry()"],
  ["const name = typeof found === 'string' ? found : 'a former member'"],
  ["<p>{typeof found === 'string' ? found : 'nobody'}</p>"],
  ["<Field label={isOpen ? 'open' : t`closed`} />"],
])('a raw text is found: %s', (code) => {
  expect(rawTexts('screen.tsx', code)).toHaveLength(1)
})

test.each([
  ['<p>{t`no listings`}</p>'],
  ['<Trans>Hello <b>{name}</b></Trans>'],
  ['<Icon name="close" className="two words" />'],
  ["throw new Error('The browser has no canvas')"],
  ["document.querySelector('main a, main button')"],
  ["const tab = { label: textOf(labels[kind === 'swap' ? 'trade' : 'market']), to: 'market' }"],
  ["const shown = typeof found === 'string' ? found : undefined"],
])('a translated text or another string is not: %s', (code) => {
  expect(rawTexts('screen.tsx', code)).toEqual([])
})

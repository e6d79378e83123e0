import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Plugin, type Rolldown, transformWithOxc } from 'vite'
import { limits } from '../../contract/src/limits.ts'

/** What browsers use of an endpoint: how it is called, and in forms the rules of its body. */
const usedOfCalls = new Set(['method', 'path', 'reply'])
const usedOfForms = new Set([...usedOfCalls, 'body'])
/** The functions that only call the endpoints among their arguments. */
const calling = new Set([
  ...['call', 'callWithMeta', 'openStream', 'buildPath', 'callEarly', 'sendEarly'],
])
/** What the reference page adds to a limit. */
const documentsLimit = new Set(['unit', 'of'])

const folder = join(import.meta.dirname, '../../contract/src')
/** The module of a declaration; with `called`, of an endpoint without the rules of its body. */
const declaration = /\/contract\/src\/([\w-]+\.ts)\?(only|called)=(\w+)$/

/**
 * Leaves out of the built pages what only the service and the documents read, which is most of the contract. Each
 * declaration becomes a module of its own, so that a chunk has the declarations it uses and not the files they are in.
 * Limits become numbers, and properties that browsers do not use are dropped: of endpoints that a module only calls,
 * also the rules of their bodies, which need a schema library.
 */
export function contractInBrowsers(): Plugin {
  const files = new Map<string, Promise<ContractFile>>()
  const openIn = (context: Rolldown.PluginContext): Open => {
    return function open(name) {
      const file = files.get(name) ?? readContract(context, name, open)
      files.set(name, file)
      return file
    }
  }
  return {
    name: 'contract-in-browsers',
    apply: 'build',
    resolveId: {
      filter: { id: declaration },
      handler: (id) => ({ id, moduleSideEffects: false }),
    },
    load: {
      filter: { id: declaration },
      async handler(id) {
        const [, file = '', use, name = ''] = declaration.exec(id) ?? []
        return (await openIn(this)(file)).moduleOf(name, use === 'called')
      },
    },
    transform: {
      filter: { id: { exclude: declaration }, code: '@assay/contract/' },
      async handler(code) {
        let text = withLimits(code)
        const { body } = this.parse(text)
        const own = body.filter((one) => one.type !== 'ImportDeclaration')
        const [used, usedWhole] = [namesIn(own), namesIn(own, isCall)]
        for (const one of body.toReversed()) {
          if (one.type !== 'ImportDeclaration' || !contractSource.test(one.source.value)) continue
          const open = openIn(this)
          const imports = importsOf(one).filter(({ local }) => used.has(local))
          const texts = await Promise.all(
            imports.map((each) => importText(each, open, !usedWhole.has(each.local))),
          )
          text = text.slice(0, one.start) + texts.join(';') + text.slice(one.end)
        }
        return text
      },
    },
  }
}

type Program = ReturnType<Rolldown.PluginContext['parse']>
type Statement = Program['body'][number]
type ImportStatement = Extract<Statement, { type: 'ImportDeclaration' }>
type Expression = Extract<Statement, { type: 'ExpressionStatement' }>['expression']
type Property = Extract<Expression, { type: 'ObjectExpression' }>['properties'][number]

interface Import {
  readonly source: string
  readonly name: string
  readonly local: string
}

interface ContractFile {
  /** The name of the module of a declaration: its own, or the first one of the same statement. */
  readonly canonical: (name: string) => string
  /** The code of that module. */
  readonly moduleOf: (name: string, isOnlyCalled: boolean) => Promise<string>
  readonly isEndpoint: (name: string) => boolean
}

/** Opens a file of the contract by its name. */
type Open = (name: string) => Promise<ContractFile>

/** Reads a file whose statements are only imports and declarations. */
async function readContract(
  context: Rolldown.PluginContext,
  fileName: string,
  open: Open,
): Promise<ContractFile> {
  const path = join(folder, fileName)
  const { code } = await transformWithOxc(await readFile(path, 'utf8'), path)
  const imports = new Map<string, Import>()
  const declared = new Map<string, { readonly name: string; readonly statement: Statement }>()
  for (const statement of context.parse(code).body) {
    if (statement.type === 'ImportDeclaration') {
      for (const one of importsOf(statement))
        imports.set(one.local, { ...one, source: sourceOf(one.source) })
      continue
    }
    const names = declaredNames(statement)
    const [name] = names
    if (name === undefined) throw new Error(`${fileName} has a statement that declares nothing.`)
    for (const each of names) declared.set(each, { name, statement })
  }

  function find(name: string) {
    const found = declared.get(name)
    if (found === undefined) throw new Error(`${fileName} does not declare ${name}.`)
    return found
  }
  const canonical = (name: string) => find(name).name
  return {
    canonical,
    isEndpoint: (name) => endpointsIn(find(name).statement).length > 0,
    async moduleOf(name, isOnlyCalled) {
      const { statement } = find(name)
      const text = withLimits(
        withoutUnused(code, statement, isOnlyCalled ? usedOfCalls : usedOfForms),
      )
      const own = declaredNames(statement)
      const used = [...namesIn(context.parse(text))].filter((one) => !own.includes(one))
      const needed = used.flatMap((local): Import[] => {
        const imported = imports.get(local)
        if (imported !== undefined) return [imported]
        return declared.has(local) ? [{ source: sourceOf(fileName), name: local, local }] : []
      })
      const lines = await Promise.all(needed.map((one) => importText(one, open)))
      const isExported = statement.type === 'ExportNamedDeclaration'
      return [...lines, isExported ? text : `export ${text}`].join('\n')
    },
  }
}

const contractSource = /^@assay\/contract\/([\w-]+\.ts)$/

/** Another file of the contract as the other packages import it. */
function sourceOf(path: string): string {
  return path.replace(/^(?:\.\/)?(?=[\w-]+\.ts$)/, '@assay/contract/')
}

/** The values of limits in place of the object that has all of them. */
function withLimits(code: string): string {
  return code.replaceAll(
    /\blimits\.(\w+)\.value\b/g,
    (_, name: keyof typeof limits) => `(${limits[name].value})`,
  )
}

async function importText(
  { source, name, local }: Import,
  open: Open,
  isOnlyCalled = false,
): Promise<string> {
  const [, file] = contractSource.exec(source) ?? []
  const opened = file === undefined ? undefined : await open(file)
  const use = isOnlyCalled && opened?.isEndpoint(name) === true ? 'called' : 'only'
  const from = file && opened ? `${join(folder, file)}?${use}=${opened.canonical(name)}` : source
  return `import { ${name} as ${local} } from ${JSON.stringify(from)}`
}

function importsOf({ source, specifiers }: ImportStatement): Import[] {
  return specifiers.map((one) => {
    if (one.type !== 'ImportSpecifier' || one.imported.type !== 'Identifier')
      throw new Error(
        `Import names from ${source.value}: its declarations are modules of their own.`,
      )
    return { source: source.value, name: one.imported.name, local: one.local.name }
  })
}

function declarationOf(statement: Statement) {
  return statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
}

/** The names that a statement declares. */
function declaredNames(statement: Statement): string[] {
  const declared = declarationOf(statement)
  switch (declared?.type) {
    case 'VariableDeclaration':
      return declared.declarations.flatMap(({ id }) => [...namesIn(id)])
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      return declared.id === null ? [] : [declared.id.name]
    default:
      return []
  }
}

interface Node {
  readonly type?: string
  readonly name?: string
  readonly computed?: boolean
  readonly callee?: Node
  readonly arguments?: readonly Node[]
}

/** Whether the names among its arguments are only called, if they are endpoints. */
function isCall({ type, callee }: Node): boolean {
  return type === 'CallExpression' && callee?.name !== undefined && calling.has(callee.name)
}

type Call = Extract<Expression, { type: 'CallExpression' }>

function isEndpoint(init: Expression): init is Call {
  const { type } = init
  return type === 'CallExpression' && 'name' in init.callee && init.callee.name === 'endpoint'
}

function endpointsIn(statement: Statement): Call[] {
  const declared = declarationOf(statement)
  if (declared?.type !== 'VariableDeclaration') return []
  return declared.declarations.flatMap(({ init }) => (init && isEndpoint(init) ? [init] : []))
}

/** All names in a part of the code, except those of properties and those directly among the arguments of `skipped` calls. */
function namesIn(part: object, skipped = (_node: Node) => false): Set<string> {
  const names = new Set<string>()
  const visit = (node: unknown) => {
    if (Array.isArray(node)) return node.forEach(visit)
    if (typeof node !== 'object' || node === null) return
    const one = node as Node
    const { type, name, computed, arguments: given } = one
    if (given !== undefined && skipped(one))
      return given.filter((each) => each.type !== 'Identifier').forEach(visit)
    if (type === 'Identifier' && name !== undefined) names.add(name)
    for (const [key, value] of Object.entries(node)) {
      const isName = (key === 'property' || key === 'key') && computed === false
      if (!isName) visit(value)
    }
  }
  visit(part)
  return names
}

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The text of a declaration that is dropped if nothing uses it: it is data, although it calls functions. */
function withoutUnused(
  code: string,
  statement: Statement,
  usedOfEndpoint: ReadonlySet<string>,
): string {
  const declared = declarationOf(statement)
  const edits: Edit[] = []
  if (declared?.type === 'VariableDeclaration') {
    for (const { init } of declared.declarations) {
      if (init === null) continue
      edits.push({ start: init.start, end: init.start, text: '/* @__PURE__ */ (() => (' })
      edits.push(
        ...unusedProperties(init, usedOfEndpoint).map(({ start, end }) => ({
          start,
          end,
          text: '...{}',
        })),
      )
      edits.push({ start: init.end, end: init.end, text: '))()' })
    }
  }
  return applyEdits(code, edits, statement)
}

function unusedProperties(
  init: Expression,
  usedOfEndpoint: ReadonlySet<string>,
): readonly Property[] {
  if (init.type === 'ObjectExpression') {
    return init.properties.flatMap((limit) =>
      limit.type === 'Property' ? named(limit.value, (name) => documentsLimit.has(name)) : [],
    )
  }
  return isEndpoint(init) ? named(init.arguments[0], (name) => !usedOfEndpoint.has(name)) : []
}

/** The properties of an object literal whose names meet a condition. */
function named(
  value: Expression | { readonly type: string } | undefined,
  isMeant: (name: string) => boolean,
): readonly Property[] {
  if (value?.type !== 'ObjectExpression') return []
  return (value as Extract<Expression, { type: 'ObjectExpression' }>).properties.filter(
    (one) => one.type === 'Property' && one.key.type === 'Identifier' && isMeant(one.key.name),
  )
}

/** @param edits in the order of the text; those of a part of it. */
function applyEdits(code: string, edits: readonly Edit[], part: Omit<Edit, 'text'>): string {
  let from = part.start
  const pieces = edits.map(({ start, end, text }) => {
    const piece = code.slice(from, start) + text
    from = end
    return piece
  })
  return pieces.join('') + code.slice(from, part.end)
}

import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { AnyEndpoint } from '@assay/contract/endpoint.ts'
import { limits } from '@assay/contract/limits.ts'
import { build, type Plugin, type Rolldown } from 'vite'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { contractInBrowsers } from './contract-in-browsers.ts'

/** The chunks of a build of these modules, by name; each is an entry of its own. */
async function built(
  modules: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, Rolldown.OutputChunk>> {
  const entries: Plugin = {
    name: 'entries',
    resolveId: (id) => (id in modules ? join(import.meta.dirname, `${id}.js`) : undefined),
    load: (id) => modules[id.slice(import.meta.dirname.length + 1, -'.js'.length)],
  }
  const result = (await build({
    ...{ configFile: false, logLevel: 'silent', plugins: [entries, contractInBrowsers()] },
    build: {
      ...{ write: false, minify: false, modulePreload: false },
      rolldownOptions: { input: Object.keys(modules), preserveEntrySignatures: 'strict' },
    },
  })) as Rolldown.RolldownOutput
  const chunks = result.output.filter((one) => one.type === 'chunk')
  return new Map(chunks.map((chunk) => [chunk.name, chunk]))
}

/** The code of a module, with all that it imports. */
async function codeOf(module: string): Promise<string> {
  return (await built({ page: module })).get('page')?.code ?? ''
}

/** What a module exports in the build. */
async function exportsOf(module: string): Promise<Readonly<Record<string, unknown>>> {
  const code = Buffer.from(await codeOf(module)).toString('base64')
  return await import(/* @vite-ignore */ `data:text/javascript;base64,${code}`)
}

interface Declared {
  readonly file: string
  readonly name: string
  readonly endpoint: AnyEndpoint
}

/** All endpoints, by how they are imported. */
async function allDeclared(): Promise<readonly Declared[]> {
  const folder = join(import.meta.dirname, '../../contract/src')
  const files = globSync('*.ts', { cwd: folder, exclude: ['all.ts', '*.test.ts'] })
  const declared = files.map(async (file) => {
    const exported = (await import(join(folder, file))) as Readonly<Record<string, unknown>>
    return Object.entries(exported)
      .filter(([, value]) => typeof value === 'object' && value !== null && 'access' in value)
      .map(([name, endpoint]) => ({ file, name, endpoint: endpoint as AnyEndpoint }))
  })
  return (await Promise.all(declared)).flat()
}

/** How an endpoint is called. */
function toCall({ method, path, reply }: AnyEndpoint) {
  return { method, path, ...(reply === undefined ? {} : { reply }) }
}

/** With the schema as data, because the build has a copy of the library. */
function withBody(endpoint: AnyEndpoint) {
  const { body } = endpoint
  if (body === undefined) return toCall(endpoint)
  const schema = 'schema' in body ? body.schema : undefined
  const json = schema && z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' })
  return { ...toCall(endpoint), body: { ...body, schema: json } }
}

describe('the contract in browsers', () => {
  test('has every endpoint as the service declares it', async () => {
    const all = await allDeclared()
    expect(all.length).toBeGreaterThan(150)
    const source = ({ file }: Declared) => `'@assay/contract/${file}'`
    const whole =
      await exportsOf(`${all.map((one, n) => `import { ${one.name} as e${n} } from ${source(one)}`).join('\n')}
      export const endpoints = [${all.map((_, n) => `e${n}`)}]`)
    const called =
      await exportsOf(`${all.map((one, n) => `import { ${one.name} as e${n} } from ${source(one)}`).join('\n')}
      const call = (one) => one
      export const endpoints = [${all.map((_, n) => `call(e${n})`)}]`)
    expect((whole['endpoints'] as AnyEndpoint[]).map(withBody)).toEqual(
      all.map(({ endpoint }) => withBody(endpoint)),
    )
    const calls = called['endpoints'] as AnyEndpoint[]
    expect(calls.map(toCall)).toEqual(all.map(({ endpoint }) => toCall(endpoint)))
  })

  test('has every limit as its value', async () => {
    const names = Object.keys(limits)
    const { values } = await exportsOf(`import { limits } from '@assay/contract/limits.ts'
      export const values = [${names.map((name) => `limits.${name}.value`)}]`)
    expect(values).toEqual(Object.values(limits).map(({ value }) => value))
  })

  test('loads neither a schema library nor other endpoints for one that is only called', async () => {
    const code = await codeOf(`import { createTracingKey } from '@assay/contract/tracing-keys.ts'
      import { limits } from '@assay/contract/limits.ts'
      export const page = () => call(createTracingKey, limits.spansPerTrace.value)`)
    expect(code).toContain('"/projects/{projectId}/tracing-keys"')
    expect(code.split('path:')).toHaveLength(2)
    expect(code.length).toBeLessThan(1000)
  })

  test('gives each page the declarations that it uses, also where two pages use one file', async () => {
    const page = (name: string) => `import { ${name} } from '@assay/contract/traces.ts'
      export const page = () => call(${name})`
    const chunks = await built({ list: page('listTraces'), trace: page('readTrace') })
    expect(chunks.get('list')?.code).not.toContain('{traceId}')
    expect(chunks.get('trace')?.code).toContain('{traceId}')
  })

  test('refuses an import of a whole file, which would have all of its declarations', async () => {
    const module = `import * as traces from '@assay/contract/traces.ts'
      export const page = () => call(traces.listTraces)`
    await expect(codeOf(module)).rejects.toThrow('Import names from @assay/contract/traces.ts')
  })
})

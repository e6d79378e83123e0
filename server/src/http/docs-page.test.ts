import { hash } from 'node:crypto'
import { allEndpoints } from '@assay/contract/all.ts'
import { fromMemory } from '@assay/contract/anonymous-bounds.ts'
import { endpoint } from '@assay/contract/endpoint.ts'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { docsPage, docsPagePolicy } from './docs-page.ts'

const page = docsPage(allEndpoints)

describe('the API reference page', () => {
  test('has a section for every endpoint, and every link in it has a target', () => {
    const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
    const targets = [...page.matchAll(/ href="#([^"]+)"/g)].map(([, target]) => target)
    expect(targets.filter((target) => !ids.has(target))).toEqual([])
    expect(page.match(/<article /g)).toHaveLength(allEndpoints.length)
  })

  test('shows the accuracy of cost estimates, where there are any', () => {
    const row = /<tr><th scope="row">10 recorded runs<\/th><td>-?\d+%<\/td><td>(\d+)%/
    const section = page.slice(page.indexOf('<section id="estimate-accuracy">'))
    expect(Number(row.exec(section)?.[1])).toBeLessThanOrEqual(20)
    expect(docsPage([])).not.toContain('estimate-accuracy')
  })

  test('needs nothing that the content-security policy forbids', () => {
    expect(page).not.toMatch(/<script|<link(?! rel="icon")|<img| style="| on\w+="|javascript:/)
    const [style = '', ...others] = [...page.matchAll(/<style>(.*?)<\/style>/gs)].map(
      ([, text]) => text,
    )
    expect(others).toEqual([])
    expect(docsPagePolicy).toContain(`'sha256-${hash('sha256', style, 'base64')}'`)
  })

  test('shows text of the contract as text', () => {
    const declared = endpoint({
      method: 'GET',
      path: '/sample',
      tag: 'A & B',
      summary: 'Reads <b>one</b> `value`',
      access: { by: 'anonymous', bounds: fromMemory },
      cost: 'cheap',
      success: { status: 200, data: z.object({ '<i>': z.string().describe('"quoted"') }) },
    })
    const html = docsPage([declared])
    expect(html).toContain('A &amp; B')
    expect(html).toContain('Reads &lt;b&gt;one&lt;/b&gt; <code>value</code>.')
    expect(html).toContain('<code>&lt;i&gt;</code>')
    expect(html).toContain('&quot;quoted&quot;')
  })
})

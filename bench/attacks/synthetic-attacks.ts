import { limits } from '@assay/contract/limits.ts'
import { extractSource } from '@assay/contract/synthetic.ts'
import type { Attack } from './attack.ts'

/*
 * Attacks of members with documents and blueprints.
 */

const name = 'page.html'

export const syntheticAttacks: readonly Attack[] = [
  {
    name: 'documents',
    by: 'editor',
    endpoints: [extractSource],
    connections: 16,
    responds: [200],
    requests: ({ scale }) => {
      const size = limits.sourceBytes.value * scale
      const page = Buffer.alloc(Math.floor(size), '<p>Items can be returned <b>within</b> 30 days.')
      const body = { file: { name, content_base64: page.toString('base64') } }
      return () => ({ body })
    },
  },
]

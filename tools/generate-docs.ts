import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { referencePages } from './reference-pages.ts'

/*
 * Writes the generated pages of docs/reference.
 */

for (const [path, text] of Object.entries(referencePages())) {
  const file = join(import.meta.dirname, '..', path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

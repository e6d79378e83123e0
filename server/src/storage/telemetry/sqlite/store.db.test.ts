import { rmSync } from 'node:fs'
import { afterAll } from 'vitest'
import { describeTelemetryStore } from '../port/store.suite.ts'
import { makeFolder, openIn } from './test-store.ts'

const folders: string[] = []

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

describeTelemetryStore('SQLite', () => {
  const folder = makeFolder()
  folders.push(folder)
  return openIn(folder)
})

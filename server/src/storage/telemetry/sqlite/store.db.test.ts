import { rmSync } from 'node:fs'
import { afterAll } from 'vitest'
import { describeTelemetryStore } from '../store.suite.ts'
import { makeFolder, openIn } from './opened-store.ts'

const folders: string[] = []

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

describeTelemetryStore('telemetry in SQLite', async () => {
  const folder = makeFolder()
  folders.push(folder)
  return await openIn(folder)
})

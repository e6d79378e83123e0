import { rmSync } from 'node:fs'
import { afterAll } from 'vitest'
import { describeTelemetryStore } from '../store.suite.ts'
import { describeHistograms } from '../store-histogram.suite.ts'
import { describeTelemetryPricing } from '../store-pricing.suite.ts'
import { describeProjectRemoval } from '../store-project-removal.suite.ts'
import { describeTelemetryReading } from '../store-reading.suite.ts'
import { describeSignalStore } from '../store-signals.suite.ts'
import { describeStats } from '../store-stats.suite.ts'
import { describeStorage } from '../store-storage.suite.ts'
import { makeFolder, openIn } from './test-store.ts'

const folders: string[] = []

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

const open = () => {
  const folder = makeFolder()
  folders.push(folder)
  return openIn(folder)
}

describeTelemetryStore('telemetry in SQLite', open)
describeTelemetryReading('reading telemetry in SQLite', open)
describeProjectRemoval('removing a project from SQLite', open)
describeSignalStore('metrics and log records in SQLite', open)
describeTelemetryPricing('prices in SQLite', open)
describeHistograms('traces over time in SQLite', open)
describeStats('figures with filters in SQLite', open)
describeStorage('what is stored in SQLite', open)

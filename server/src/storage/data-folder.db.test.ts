import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { lockDataFolder } from './data-folder.ts'

let parent: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'assay-lock-'))
})
afterEach(() => rmSync(parent, { recursive: true }))

describe('the data folder', () => {
  test('is created with access for its owner only', () => {
    const folder = lockDataFolder(join(parent, 'new', 'data'))
    expect(statSync(folder.path).mode & 0o777).toBe(0o700)
    folder.release()
  })

  test('is refused to a second process, and available again when the first is killed', async () => {
    const path = join(parent, 'data')
    const module = join(import.meta.dirname, 'data-folder.ts')
    const script = `
      const { lockDataFolder } = await import(${JSON.stringify(module)})
      lockDataFolder(${JSON.stringify(path)})
      console.log('locked')
      setInterval(() => {}, 1000)`
    const holder = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      await once(holder.stdout, 'data')
      expect(() => lockDataFolder(path)).toThrow(
        `The data folder ${path} is in use by another process.`,
      )
    } finally {
      holder.kill('SIGKILL')
      await once(holder, 'exit')
    }
    lockDataFolder(path).release()
  })
})

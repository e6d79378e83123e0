import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/*
 * The ClickHouse engine for tests, from the npm package `chdb`, which exists for Linux with glibc and for macOS.
 */

export interface ClickHouseEngine {
  readonly url: string
  readonly process: { readonly pid?: number | undefined }
  /** Kills it; its files remain. */
  kill(): Promise<void>
  /** Kills it and removes its files. */
  stop(): Promise<void>
}

/** Whether this machine has the engine. */
export function hasClickHouseEngine(): boolean {
  try {
    const { resolve } = createRequire(import.meta.url)
    resolve(`@chdb/lib-${process.platform}-${process.arch}${isLinux ? '-gnu' : ''}`)
    return true
  } catch {
    return false
  }
}

const isLinux = process.platform === 'linux'

export async function startClickHouse(folder = newFolder()): Promise<ClickHouseEngine> {
  const program = new URL('./engine-process.ts', import.meta.url)
  const child = spawn(process.execPath, [program.pathname, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const exited = once(child, 'exit')
  const port = await Promise.race([
    once(child.stdout, 'data').then(([chunk]) => String(chunk).trim()),
    exited.then(([code]) => {
      throw new Error(`The ClickHouse engine ended with ${code} before it was ready.`)
    }),
  ])
  const end = async () => {
    process.off('exit', kill)
    kill()
    await exited
  }
  return {
    url: `http://127.0.0.1:${port}`,
    process: child,
    kill: end,
    async stop() {
      await end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'assay-clickhouse-'))
}

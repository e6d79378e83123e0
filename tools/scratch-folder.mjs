import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

/*
 * The folder for the temporary files of a test run. In memory where there is enough: with a disk, the tests of stores
 * mostly wait for it.
 */

const memory = '/dev/shm'
const neededBytes = 6 * 1024 ** 3

/**
 * Other users can reach what is shared with them in it, but not list it.
 * @returns {string}
 */
export function createScratchFolder() {
  if (hasMemory()) {
    const folder = createIn(memory)
    if (canExecuteIn(folder)) return folder
    rmSync(folder, { recursive: true })
  }
  return createIn(tmpdir())
}

/** @param {string} parent */
function createIn(parent) {
  const folder = mkdtempSync(join(parent, 'assay-test-'))
  chmodSync(folder, 0o711)
  return folder
}

function hasMemory() {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return Math.min(bavail * bsize, freemem()) >= neededBytes
  } catch {
    return false
  }
}

/**
 * Containers often forbid it in memory.
 * @param {string} folder
 */
function canExecuteIn(folder) {
  const program = join(folder, 'program')
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
  const { status } = spawnSync(program)
  rmSync(program)
  return status === 0
}

import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/*
 * Finds the browser for tests. Plain JavaScript: it also runs before anything is installed.
 */

const headlessShell = 'chromium-headless-shell'

const commands = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

const applications = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/**
 * The path in ASSAY_TEST_CHROMIUM, else a Chromium or Chrome in a usual place.
 * @returns {string | undefined}
 */
export function findChromium() {
  return find([...commands, headlessShell])
}

/**
 * Prefers the shell of Chromium without a window: with the same engine it takes half as much processor time for a page.
 * @returns {string | undefined}
 */
export function findTestChromium() {
  return find([headlessShell, ...commands])
}

/** @param {readonly string[]} names */
function find(names) {
  const named = process.env.ASSAY_TEST_CHROMIUM
  if (named !== undefined && named !== '') return named
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  const onPath = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...onPath, ...applications].find(isExecutable)
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

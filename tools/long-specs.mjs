/**
 * Specs that `npm run test:long` runs and `npm test` does not: they wait for disks, starts and stops, and no change of a
 * single page or endpoint reaches what they test.
 */
export const longSpecs = [
  'e2e/attacks.spec.ts',
  'e2e/data-folder.spec.ts',
  'e2e/running-faults.spec.ts',
  'e2e/stop.spec.ts',
  'e2e/system-faults.spec.ts',
  'e2e/tabs.spec.ts',
]

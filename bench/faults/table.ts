import { databaseFaults } from './databases.ts'
import { diskFaults } from './disks.ts'
import type { Fault } from './fault.ts'
import { killFaults } from './kills.ts'
import { testedFaults } from './tested.ts'

/** All rows, in the order of their numbers. */
export const faults: readonly Fault[] = [
  ...killFaults,
  ...diskFaults,
  ...databaseFaults,
  ...testedFaults,
].toSorted((a, b) => a.number - b.number)

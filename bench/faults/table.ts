import { accessFaults } from './access.ts'
import { clockFaults } from './clocks.ts'
import { connectionFaults } from './connections.ts'
import { databaseFaults } from './databases.ts'
import { diskFaults } from './disks.ts'
import type { Fault } from './fault.ts'
import { ingestionFaults } from './ingestion.ts'
import { killFaults } from './kills.ts'
import { pressureFaults } from './pressure.ts'
import { testedFaults } from './tested.ts'

/** All rows, in the order of their numbers. */
export const faults: readonly Fault[] = [
  ...killFaults,
  ...diskFaults,
  ...databaseFaults,
  ...connectionFaults,
  ...ingestionFaults,
  ...pressureFaults,
  ...accessFaults,
  ...clockFaults,
  ...testedFaults,
].toSorted((a, b) => a.number - b.number)

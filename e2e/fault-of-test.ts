import { onTestFinished } from 'vitest'
import { type InjectedFault, injectFault } from './strace.ts'

/** Like `injectFault`, until the test ends at the latest. */
export async function injectFaultOfTest(
  ...args: Parameters<typeof injectFault>
): Promise<InjectedFault> {
  const fault = await injectFault(...args)
  onTestFinished(() => fault.end())
  return fault
}

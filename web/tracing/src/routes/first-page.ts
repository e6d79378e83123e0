import { sendEarly } from '@assay/account/api/first-requests.ts'
import { listTraces, readTrace } from '@assay/contract/traces.ts'
import { toListArgs, toTraceArgs } from '../api/trace-requests.ts'

/** By condition, the build would preload what one of them imports for the other as well. */
const pages = {
  list: () => import('../pages/traces/TraceListPage.tsx'),
  trace: () => import('../pages/trace/TracePage.tsx'),
}

/** Loads the code of the page that is probably shown first, and of its frame, before the app can tell, and its data. */
export function loadFirstPage(): Promise<unknown> {
  const { pathname, search } = location
  const [, projectId, traceId] = /^\/p\/([^/]+)\/traces(?:\/([^/]+))?$/.exec(pathname) ?? []
  if (projectId !== undefined) requestData(projectId, traceId, search === '')
  const page = traceId === undefined ? pages.list : pages.trace
  return Promise.all([import('../shell/ProjectFrame.tsx'), page()])
}

function requestData(projectId: string, traceId: string | undefined, isUnfiltered: boolean): void {
  if (traceId !== undefined) {
    sendEarly(readTrace, toTraceArgs(decodeURIComponent(projectId), decodeURIComponent(traceId)))
  } else if (isUnfiltered) {
    sendEarly(listTraces, toListArgs(decodeURIComponent(projectId), { mode: 'live' }))
  }
}

/** Loads the code of the page that is probably shown first, and of its frame, before the app can tell. */
export function loadFirstPage(): Promise<unknown> {
  const isTrace = /\/traces\/[^/]+$/.test(location.pathname)
  return Promise.all([
    import('../shell/ProjectFrame.tsx'),
    isTrace ? import('../pages/trace/TracePage.tsx') : import('../pages/traces/TraceListPage.tsx'),
  ])
}

/** Loads the code of the page that is probably shown first, and of its frame, before the app can tell. */
export function loadFirstPage(): Promise<unknown> {
  return Promise.all([
    import('../shell/ProjectFrame.tsx'),
    import('../pages/conversation/ConversationPage.tsx'),
  ])
}

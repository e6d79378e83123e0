import { Menu, type MenuItemProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

/** A link to a page of the app in a menu. */
export const LinkMenuItem = createLink(AnchorItem)

function AnchorItem(props: MenuItemProps & Omit<ComponentProps<'a'>, keyof MenuItemProps>) {
  return <Menu.Item component="a" {...props} />
}

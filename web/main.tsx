import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { z } from 'zod'
import { followLogin } from '#web/features/auth/follow-login.ts'
import { queryClient, router } from '#web/router.tsx'
import './styles/base.css'

// The content security policy forbids the code that zod would otherwise compile while running.
z.config({ jitless: true })

followLogin(router, queryClient)

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no #root')

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)

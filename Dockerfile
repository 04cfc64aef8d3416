# One image for every process; the command chooses which: api (the default), worker, or migrate.
#   node dist/api/main.js · node dist/worker/main.js · node dist/db/migrateMain.js

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# No install script runs, whichever npm this is, but those named here; package.json allows them by name for npms that know that.
RUN npm ci --ignore-scripts --no-audit --no-fund \
 && npm rebuild @swc/core
COPY . .
# The one-machine stack and the benchmarks need development dependencies, so they do not come along.
RUN npm run build \
 && rm -rf dist/clients/generate dist/local dist/bench dist/.tsbuildinfo \
 && npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production NODE_OPTIONS=--enable-source-maps
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# The guides that the API serves at /v1/docs/guides.
COPY --from=build /app/llms.txt ./
COPY --from=build /app/CHANGELOG.md ./
COPY --from=build /app/docs ./docs
COPY --from=build /app/clients/typescript/README.md ./clients/typescript/
COPY --from=build /app/clients/python/README.md ./clients/python/
# `docker compose exec api institution …`: the command line of operators.
RUN ln -s /app/dist/cli/main.js /usr/local/bin/institution
# A volume mounted here takes over its owner.
RUN mkdir /data && chown node:node /data
USER node
EXPOSE 4000 4001 4002 4003
CMD ["node", "dist/api/main.js"]

FROM docker.io/library/debian:bookworm-slim AS build
COPY deploy/packages deploy/install-packages /src/deploy/
RUN /src/deploy/install-packages build
COPY . /src
WORKDIR /src
RUN cmake --preset release \
 && cmake --build --preset release --target workpoold workpool \
 && strip build/release/bin/workpoold build/release/bin/workpool

FROM docker.io/library/debian:bookworm-slim
COPY deploy/packages deploy/install-packages /tmp/deploy/
RUN /tmp/deploy/install-packages run \
 && rm -rf /tmp/deploy /var/lib/apt/lists/* /var/cache/apt/*.bin /var/log/apt /var/log/dpkg.log \
 && useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin workpool
COPY --from=build /src/build/release/bin/workpoold /src/build/release/bin/workpool /usr/local/bin/
COPY deploy/container/workpool.toml /etc/workpool/workpool.toml
USER 10001:10001
EXPOSE 7650 7651
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s CMD ["workpool", "pools"]
# Fit to be process 1: it takes signals and reaps orphans.
ENTRYPOINT ["workpoold", "--config", "/etc/workpool/workpool.toml"]

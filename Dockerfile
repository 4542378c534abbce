# Builds Ringfence in one stage and runs it as an unprivileged user in another.

FROM swift:6.3.1-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends \
    libuv1-dev libssl-dev libsqlite3-dev libnghttp2-dev zlib1g-dev \
    node-llhttp pkg-config python3 binutils \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /ringfence
COPY Package.swift .swift-version ./
COPY Sources Sources
COPY Seeds Seeds
COPY Docs Docs
COPY Tests Tests
COPY Distribution Distribution
RUN echo "Compiles Ringfence: about ten minutes on two cores" \
  && python3 Distribution/executable.py /usr/local/bin/ringfence

FROM debian:12-slim
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --system --uid 10001 --user-group --home-dir /data ringfence \
  && install -d -o ringfence -g ringfence -m 0700 /data \
  && install -d -o ringfence -g ringfence -m 0755 /trust
COPY --from=build /usr/local/bin/ringfence /usr/local/bin/ringfence
USER 10001
# /data: all state, and the key that signs certificates. /trust: the certificates for clients, without the key.
VOLUME ["/data", "/trust"]
EXPOSE 5550 5551 5552
# A server that crashes is started again at once, with its ports still open.
ENV RINGFENCE_SUPERVISE=true
HEALTHCHECK --interval=5s --timeout=2s --start-period=2s --retries=3 CMD ["ringfence", "doctor", "--quick"]
ENTRYPOINT ["ringfence"]
CMD ["serve", "--http=0.0.0.0:5550", "--https=0.0.0.0:5551", "--gateway=0.0.0.0:5552", "--data=/data", "--trust=/trust"]

# Veridic with the web app, workers on PostgreSQL and MCP. compose.yaml starts it as a site.
FROM python:3.11-slim AS build
WORKDIR /source
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY src ./src
RUN python -m venv /opt/veridic \
 && /opt/veridic/bin/pip install --no-cache-dir -c constraints.txt '.[server,postgres,code,mcp,parquet]'

FROM python:3.11-slim
RUN useradd --system --create-home --home-dir /var/lib/veridic veridic
COPY --from=build /opt/veridic /opt/veridic
ENV PATH=/opt/veridic/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    VERIDIC_HOME=/var/lib/veridic
USER veridic
VOLUME /var/lib/veridic
EXPOSE 8000
ENTRYPOINT ["veridic"]
CMD ["--help"]
